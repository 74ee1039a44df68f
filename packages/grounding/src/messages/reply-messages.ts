/** A sentence with a placeholder, for example `{title}`. */
type With<Name extends string> = `${string}{${Name}}${string}`;

/**
 * A sentence with a number, by plural form. A form that a language distinguishes but that is absent
 * here uses `other`, which then fits every number.
 */
export type CountedMessage = { readonly other: With<'count'> } & {
  readonly [form in Exclude<Intl.LDMLPluralRule, 'other'>]?: With<'count'>;
};

/**
 * The fixed sentences of a reply in one language: plain, natural and polite. Quotes of documents
 * and their titles keep their own language.
 */
export interface ReplyMessages {
  /** Quotation marks. */
  readonly quoted: With<'text'>;

  // Before quotes. Each ends with a colon.
  readonly accordingTo: With<'title'>;
  /** Instead of `accordingTo`, if the quote may not be the answer. */
  readonly mayAnswer: With<'title'>;
  readonly alsoIn: With<'title'>;
  readonly overview: string;
  readonly closest: string;
  readonly contradiction: string;

  // There is no answer.
  readonly notFound: string;
  readonly nothingAbout: With<'subject'>;
  readonly missing: With<'value'>;
  readonly missingSeveral: With<'values'>;
  readonly mainPoints: With<'title'>;
  readonly rephrase: string;
  readonly rephraseLike: With<'titles'>;
  readonly noDocuments: string;
  readonly notYet: string;
  readonly indexing: CountedMessage;
  readonly askAgainLater: string;
  readonly withheld: string;

  // Small talk.
  readonly greeting: string;
  readonly thanks: string;
  readonly farewell: string;
  readonly aboutMe: string;
  readonly acknowledged: string;
}
