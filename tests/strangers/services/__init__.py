"""Small services over the wire, each as some real API is. None of them knows Daybook."""
