/** The search modes, the API's default first. */
export const MODES = ['hybrid', 'keyword', 'semantic'] as const;

/** One of the values above. */
export type Mode = (typeof MODES)[number];
