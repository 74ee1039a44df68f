const number = /^[-+(]?[\d\s.,:/%€$£-]*\d[\d\s.,:/%€$£)-]*$/;

/**
 * Returns true if the first row names the columns: most cells are filled and different, and all are
 * short and not numbers.
 */
export const hasHeader = (rows: readonly (readonly string[])[]): boolean => {
  const names = (rows[0] ?? []).map((cell) => cell.trim());
  while (names.at(-1) === '') names.pop();
  const filled = names.filter((name) => name !== '');
  if (rows.length < 2 || filled.length < Math.max(1, names.length * 0.8)) return false;
  return filled.every((name) => name.length <= 80 && !number.test(name)) && new Set(filled).size >= filled.length * 0.5;
};
