import { PYTHON_KEYWORDS, pythonName } from '@lectern/api-spec';

/** True if a name can be a field in the body of a class. */
export const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !PYTHON_KEYWORDS.includes(name);

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
