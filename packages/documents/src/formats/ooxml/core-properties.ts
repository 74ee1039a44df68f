import { childElements, findElement, type MarkupElement, textOf } from '#markup/element';
import { readXml } from '#markup/read-xml';
import type { ParsedContent } from '#parsed-document';
import { meaningfulTitle } from '#text/meaningful-title';
import type { ZipFile } from '#zip/open-zip';

const field = (properties: MarkupElement | undefined, name: string): string | undefined => {
  const [element] = childElements(properties, name);
  return element ? textOf(element).trim() || undefined : undefined;
};

/** What Office keeps about a document in docProps/core.xml (OPC core properties); nothing where the part is missing or broken. */
export const coreProperties = (zip: ZipFile): Pick<ParsedContent, 'title' | 'metadata'> => {
  const part = 'docProps/core.xml';
  if (!zip.has(part)) return {};
  try {
    const properties = findElement(readXml(zip.read(part)), 'coreProperties');
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
    return {}; // a document without its properties is still worth reading
  }
};
