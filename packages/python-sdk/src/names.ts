/** Words that cannot be names in Python. */
const KEYWORDS: readonly string[] = (
  'False None True and as assert async await break class continue def del elif else except finally for from global ' +
  'if import in is lambda nonlocal not or pass raise return try while with yield'
).split(' ');

/** Converts `conversationId` to `conversation_id`, and `from` to `from_`. */
export function pythonName(name: string): string {
  const snake = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  return KEYWORDS.includes(snake) ? `${snake}_` : snake;
}

/** True if a name can be a field in the body of a class. */
export const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.includes(name);

/** Converts `toolServers` to `ToolServers`. */
export const className = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const singular = (segment: string): string => {
  if (segment === 'people') return 'person';
  return segment.replace(/ies$/, 'y').replace(/s$/, '');
};

/** Names the parameters of a path: the `id` in `/api/v1/collections/{id}` is `collection_id`. */
export function pathArguments(path: string): readonly { readonly wire: string; readonly name: string }[] {
  const segments = path.split('/');
  return segments.flatMap((segment, at) => {
    const wire = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (wire === undefined) return [];
    const name = wire === 'id' ? `${singular(segments[at - 1] ?? '')}_id` : wire;
    return [{ wire, name: pythonName(name.replaceAll('-', '_')) }];
  });
}
