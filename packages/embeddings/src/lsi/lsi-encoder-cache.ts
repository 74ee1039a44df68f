import { createCache } from '@lectern/resilience';
import { countLookup } from '@lectern/service-kit';
import { lsiFromBytes } from '#lsi/lsi-bytes';
import { createLsiEncoder, type LsiEncoder } from '#lsi/lsi-encoder';

/** Encoders of learned spaces. */
export interface LsiEncoderCache {
  /**
   * Returns the encoder of a space. `load` reads its bytes from storage; it is called once while the
   * encoder is cached, because a space never changes. A rejection of `load` is not cached.
   */
  get(space: string, load: () => Promise<Uint8Array>): Promise<LsiEncoder>;
}

export interface LsiEncoderCacheOptions {
  /**
   * Bytes of models to keep. The least recently used are dropped first; a larger model is kept as
   * the only one.
   */
  readonly maxBytes: number;
}

interface LoadedEncoder {
  readonly encoder: LsiEncoder;
  readonly sizeBytes: number;
}

const MAX_ENCODERS = 1_000;

export function createLsiEncoderCache(options: LsiEncoderCacheOptions): LsiEncoderCache {
  const maxBytes = Math.max(1, options.maxBytes);
  const loaded = createCache<string, LoadedEncoder>({
    maxEntries: MAX_ENCODERS,
    maxBytes,
    sizeOf: ({ sizeBytes }) => Math.min(sizeBytes, maxBytes),
  });
  const loading = new Map<string, Promise<LsiEncoder>>();

  const open = async (space: string, load: () => Promise<Uint8Array>): Promise<LsiEncoder> => {
    try {
      const bytes = await load();
      const encoder = createLsiEncoder(lsiFromBytes(bytes));
      loaded.set(space, { encoder, sizeBytes: bytes.byteLength });
      return encoder;
    } finally {
      loading.delete(space);
    }
  };

  return {
    async get(space, load) {
      const known = loaded.get(space)?.encoder ?? loading.get(space);
      countLookup('space', known !== undefined);
      if (known !== undefined) return known;
      const encoder = open(space, load);
      loading.set(space, encoder);
      return encoder;
    },
  };
}
