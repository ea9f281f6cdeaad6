"""How the shop speaks: prompts, panels, questions before costly steps, lessons."""
