/** How a search ranks, the API's default first. */
export const MODES = ['hybrid', 'keyword', 'semantic'] as const;

/** One of them. */
export type Mode = (typeof MODES)[number];
