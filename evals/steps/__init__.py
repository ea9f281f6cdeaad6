"""Measure how well the step checks of `daybook grade` find faults."""
