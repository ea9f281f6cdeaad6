"""What the shop's model may call: reads, changes of cart and brief, effects, the reviewer."""
