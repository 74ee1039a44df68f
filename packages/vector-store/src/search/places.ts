import { type Cache, createCache } from '@lectern/resilience';
import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { anyPoint } from '#filter/conditions';
import { documentKey, formerPointId, keyOf, pointId, siblingOf, versionOf } from '#layout/point-id';
import { ScopedFilter } from '#scope/scoped-filter';

/** What the former id of a point does not show. It never changes. */
interface FormerPlace {
  readonly document: string;
  readonly version: number;
}

/** The places of former ids to remember, at about 200 bytes each. */
const MAX_REMEMBERED = 20_000;

const storedPoint = z.object({ id: z.string(), payload: z.object({ document: z.string(), version: z.int() }) });

/** The places of points: their documents, versions and neighbors, by id. */
export class Places {
  readonly #former: ReadonlyMap<string, FormerPlace>;

  constructor(former: ReadonlyMap<string, FormerPlace> = new Map()) {
    this.#former = former;
  }

  /** Returns the key of a point's document; undefined for a former id whose point is deleted. */
  keyOf(id: string): string | undefined {
    const known = keyOf(id);
    if (known !== undefined) return known;
    const former = this.#former.get(id);
    return former && documentKey(former.document);
  }

  versionOf(id: string): number {
    return this.#former.get(id)?.version ?? versionOf(id);
  }

  /**
   * Returns the ids that another passage of the same version of the document can have. While points
   * with former ids are stored again, that can be a former id or a new one.
   */
  siblingsOf(id: string, chunk: number): string[] {
    const former = this.#former.get(id);
    if (former === undefined) return [siblingOf(id, chunk)];
    const { document, version } = former;
    return [formerPointId(document, version, chunk), pointId(document, version, chunk)];
  }
}

/**
 * Reads the places of points that an earlier version of Lectern stored. Their ids do not show them,
 * so a search that finds such points needs one more request, until it has seen them all or they are
 * stored again under new ids.
 */
export class FormerPoints {
  readonly #known: Cache<string, FormerPlace> = createCache({ maxEntries: MAX_REMEMBERED });

  async placesOf(
    connection: QdrantConnection,
    collection: string,
    { team, ids, signal }: { readonly team: string; readonly ids: ReadonlySet<string> } & CallOptions,
  ): Promise<Places> {
    if (ids.size === 0) return new Places();
    const places = new Map<string, FormerPlace>();
    const unknown: string[] = [];
    for (const id of ids) {
      const place = this.#known.get(id);
      if (place === undefined) unknown.push(id);
      else places.set(id, place);
    }
    if (unknown.length > 0) {
      const page = {
        filter: ScopedFilter.within({ team }).and(anyPoint(unknown)).toQdrant(),
        limit: unknown.length,
        with_payload: ['document', 'version'],
        with_vector: false,
      };
      const { points } = await connection.read('former points', REQUESTS.scroll(collection, page), {
        signal,
        ifMissing: () => ({ points: [] }),
      });
      for (const { id, payload } of z.array(storedPoint).parse(points)) {
        this.#known.set(id, payload);
        places.set(id, payload);
      }
    }
    return new Places(places);
  }
}
