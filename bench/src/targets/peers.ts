/** Other engines that can be compared with Lectern. */
export const PEERS = ['chroma', 'postgres', 'minisearch', 'orama'] as const;

/** One of the values above. */
export type Peer = (typeof PEERS)[number];
