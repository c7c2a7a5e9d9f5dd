"""PACKAGE hexrec.output"""
