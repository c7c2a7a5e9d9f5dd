"""HTTP service with the same records, diagnostics and reports as the command line.

The listening process only moves bytes. Worker processes, which can be killed, parse bodies.
"""
