"""The service: HTTP in front of the same models, diagnostics and verdicts as the command line has.

The process that listens moves bytes; whatever looks into a body is done by worker processes that can be killed.
"""
