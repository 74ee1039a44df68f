import { childElements, findElement, type MarkupElement, textOf } from '#markup/element';
import { readXml } from '#markup/read-xml';
import type { ParsedContent } from '#parsed-document';
import { meaningfulTitle } from '#text/meaningful-title';
import type { ZipArchive } from '#zip/zip-archive';

const field = (properties: MarkupElement | undefined, name: string): string | undefined => {
  const [element] = childElements(properties, name);
  return element ? textOf(element).trim() || undefined : undefined;
};

/**
 * Returns the document properties in docProps/core.xml (OPC); empty if the part is missing or
 * malformed.
 */
export const coreProperties = async (zip: ZipArchive): Promise<Pick<ParsedContent, 'title' | 'metadata'>> => {
  const part = 'docProps/core.xml';
  if (!zip.has(part)) return {};
  try {
    const properties = findElement(readXml(await zip.read(part)), 'coreProperties');
    return {
      title: meaningfulTitle(field(properties, 'title')),
      metadata: {
        author: field(properties, 'creator') ?? field(properties, 'lastModifiedBy'),
        description: field(properties, 'description') ?? field(properties, 'subject'),
        keywords: field(properties, 'keywords')
          ?.split(/[,;]/)
          .map((word) => word.trim()),
        language: field(properties, 'language'),
        createdAt: field(properties, 'created'),
        modifiedAt: field(properties, 'modified'),
      },
    };
  } catch {
    return {}; // The document is still useful without its properties.
  }
};
