"""Plain records, as most are in large archives: those that need no model to be judged.

A few files of plain, valid ones are judged before models, reports and commands are imported, which takes longer than
judging them. What is not plain is left to the models, which say what is wrong with it.
"""
