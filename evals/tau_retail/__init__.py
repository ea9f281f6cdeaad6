"""The benchmark tau-bench retail, its recorded runs replayed by our graph, under kills too."""
