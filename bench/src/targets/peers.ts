/** Other engines that can be measured beside Lectern. */
export const PEERS = ['chroma', 'postgres', 'minisearch', 'orama'] as const;

/** One of them. */
export type Peer = (typeof PEERS)[number];
