import type { LsiPassage } from '#lsi/lsi-sample';

/** Requests to the training thread. */
export type TrainingRequest =
  | { readonly kind: 'passages'; readonly passages: readonly LsiPassage[] }
  | { readonly kind: 'learn' };

/** Its responses, one message per request. */
export type TrainingResponse =
  | { readonly kind: 'added'; readonly more: boolean }
  | {
      readonly kind: 'learned';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly passages: number;
      readonly terms: number;
    };
