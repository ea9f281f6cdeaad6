"""The rules of the written grammar, by what they are of: `grammar` puts them together."""
