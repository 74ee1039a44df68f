import type { ParseKeys, TOptions } from 'i18next';
import type { ReactElement } from 'react';
import { Trans } from 'react-i18next/TransWithoutContext';
import { texts } from '#texts/texts.ts';

/** A text with elements in it: `<RichText name="ui.request" values={{ id }} elements={{ code: <code /> }} />`. */
export function RichText({
  name,
  values = {},
  count,
  elements,
}: {
  /** The key of the text, which names elements as tags: `Request <code>{{id}}</code>`. */
  readonly name: ParseKeys;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly count?: number;
  readonly elements: Readonly<Record<string, ReactElement>>;
}) {
  return (
    <Trans<ParseKeys, 'translation', undefined, undefined, TOptions & { context?: undefined }, object>
      i18n={texts}
      i18nKey={name}
      values={values}
      {...(count === undefined ? {} : { count })}
      components={elements}
      // A value, for example a name, must not be read as an element.
      tOptions={{ interpolation: { escapeValue: true } }}
    />
  );
}
