def rename(cursor, old, new):
    cursor.execute("UPDATE users SET name = ? WHERE name = ?", (new, old))
    print(f"select {old} from the list of names")
