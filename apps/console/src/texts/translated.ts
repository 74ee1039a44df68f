/** The shape of a catalog in another language: the same keys, other texts. */
export type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]> };
