"""Batches: archives split into chunks of work, which are done in this process, on all cores or on a cluster."""

#: What the process imports from which workers are forked.
PRELOAD = ("hexrec.batch.tasks",)
