"""The steps of what people ask beside the shopping itself: promises, corrections, comparisons."""
