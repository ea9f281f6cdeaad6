"""What a tool step costs, beside the same step of langchain's create_agent: `-m evals.bench`."""
