import { countLookup } from '@lectern/service-kit';
import { lsiFromBytes } from '#lsi/lsi-bytes';
import { createLsiEncoder, type LsiEncoder } from '#lsi/lsi-encoder';

/** Encoders of learned spaces, each loaded once. */
export interface LsiEncoderCache {
  /**
   * The encoder of a space. `load` reads its bytes from where they are stored; it is called once for each space while that is kept, since a space
   * never changes. Rejects as it does, and the next call tries again.
   */
  get(space: string, load: () => Promise<Uint8Array>): Promise<LsiEncoder>;
}

export interface LsiEncoderCacheOptions {
  /** Bytes of models to keep; those used longest ago go first. One model is kept however large. */
  readonly maxBytes: number;
}

interface Entry {
  readonly encoder: Promise<LsiEncoder>;
  sizeBytes: number;
}

/** Makes a cache of encoders, in order of use. */
export function createLsiEncoderCache({ maxBytes }: LsiEncoderCacheOptions): LsiEncoderCache {
  const entries = new Map<string, Entry>();

  const open = (space: string, load: () => Promise<Uint8Array>): Entry => {
    const entry: Entry = {
      sizeBytes: 0,
      encoder: load().then(
        (bytes) => {
          entry.sizeBytes = bytes.byteLength;
          evict(entries, maxBytes);
          return createLsiEncoder(lsiFromBytes(bytes));
        },
        (error: unknown) => {
          entries.delete(space);
          throw error;
        },
      ),
    };
    return entry;
  };

  return {
    get(space, load) {
      const known = entries.get(space);
      countLookup('space', known !== undefined);
      const entry = known ?? open(space, load);
      entries.delete(space);
      entries.set(space, entry);
      return entry.encoder;
    },
  };
}

function evict(entries: Map<string, Entry>, maxBytes: number): void {
  let sizeBytes = [...entries.values()].reduce((sum, entry) => sum + entry.sizeBytes, 0);
  for (const [space, entry] of entries) {
    if (sizeBytes <= maxBytes || entries.size === 1) return;
    entries.delete(space);
    sizeBytes -= entry.sizeBytes;
  }
}
