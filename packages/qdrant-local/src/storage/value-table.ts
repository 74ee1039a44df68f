const maxTableSize = 65_536;

/**
 * Encodes values as indexes into a table of distinct ones. Keeps them if there are too many
 * distinct ones.
 */
export function codeValues(floats: Float32Array): {
  readonly table: Float32Array | undefined;
  readonly values: Uint16Array | Float32Array;
} {
  const codes = new Map<number, number>();
  const values = new Uint16Array(floats.length);
  for (let i = 0; i < floats.length; i++) {
    const value = floats[i] ?? 0;
    let code = codes.get(value);
    if (code === undefined) {
      if (codes.size === maxTableSize) return { table: undefined, values: floats };
      code = codes.size;
      codes.set(value, code);
    }
    values[i] = code;
  }
  return { table: Float32Array.from(codes.keys()), values };
}

/** A table, and for each of its codes 1 if an entry has it, 0 otherwise. */
export interface UsedTable {
  readonly table: Float32Array | undefined;
  readonly isUsed: Uint8Array;
}

/**
 * Joins the used values of several tables. Returns the new code of each used code, or no table if one
 * is missing or the result is too large.
 */
export function joinTables(tables: readonly UsedTable[]): {
  readonly table: Float32Array | undefined;
  readonly codesOf: readonly Uint16Array[] | undefined;
} {
  const codes = new Map<number, number>();
  const codesOf: Uint16Array[] = [];
  for (const { table, isUsed } of tables) {
    if (!table) return { table: undefined, codesOf: undefined };
    codesOf.push(
      Uint16Array.from(table, (value, old) => {
        if (isUsed[old] === 0) return 0;
        const code = codes.get(value) ?? codes.size;
        codes.set(value, code);
        return code;
      }),
    );
    if (codes.size > maxTableSize) return { table: undefined, codesOf: undefined };
  }
  return { table: Float32Array.from(codes.keys()), codesOf };
}
