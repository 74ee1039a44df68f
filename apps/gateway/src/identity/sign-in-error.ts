import type { account } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';

/** A text in the languages of the pages before the sign-in. */
export type Texts = Readonly<Record<account.Language, string>>;

/** Why a sign-in failed, in the language of the person. The message is the English text. */
export class SignInError extends AppError {
  readonly texts: Texts;

  constructor(
    code: 'forbidden' | 'upstream_error' | 'unavailable',
    texts: Texts,
    options: { readonly cause?: unknown } = {},
  ) {
    super(code, texts.en, options);
    this.texts = texts;
  }
}
