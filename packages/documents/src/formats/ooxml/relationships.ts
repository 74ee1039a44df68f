import { posix } from 'node:path';
import { descendants } from '#markup/element';
import { readXml } from '#markup/read-xml';
import type { ZipArchive } from '#zip/zip-archive';

/** A link from one part of an Office file to another; `target` is the entry's name. */
export interface Relationship {
  readonly id: string;
  /** The last word of the relationship's type: `slide`, `notesSlide`, `diagramData`. */
  readonly type: string;
  readonly target: string;
}

/** Returns the relationships of a part (OPC §9.3), without external ones. */
export const relationshipsOf = async (zip: ZipArchive, part: string): Promise<Relationship[]> => {
  const name = `${posix.dirname(part)}/_rels/${posix.basename(part)}.rels`;
  if (!zip.has(name)) return [];
  return [...descendants(readXml(await zip.read(name)))]
    .filter((element) => element.name === 'Relationship' && element.attributes.TargetMode !== 'External')
    .map(({ attributes }) => ({
      id: attributes.Id ?? '',
      type: (attributes.Type ?? '').split('/').at(-1) ?? '',
      target: posix
        .join('/', (attributes.Target ?? '').startsWith('/') ? '' : posix.dirname(part), attributes.Target ?? '')
        .slice(1),
    }));
};
