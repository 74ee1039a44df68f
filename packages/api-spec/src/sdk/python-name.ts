/** Words that cannot be names in Python. */
export const PYTHON_KEYWORDS: readonly string[] = (
  'False None True and as assert async await break class continue def del elif else except finally for from global ' +
  'if import in is lambda nonlocal not or pass raise return try while with yield'
).split(' ');

/** Converts `conversationId` to `conversation_id`, and `from` to `from_`. */
export function pythonName(name: string): string {
  const snake = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  return PYTHON_KEYWORDS.includes(snake) ? `${snake}_` : snake;
}
