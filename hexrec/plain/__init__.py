"""Plain, valid records, judged before models, reports and commands are imported, which takes longer than judging them.

What is not plain, or not valid, goes the full way, which has the words for it.
"""
