def rename(cursor, table, old, new):
    statement = f"UPDATE {table} SET name = '{new}' WHERE name = '{old}'"
    cursor.execute(statement)
