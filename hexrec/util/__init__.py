"""PACKAGE hexrec.util"""
