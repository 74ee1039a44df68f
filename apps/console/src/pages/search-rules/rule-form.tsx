import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { SearchRule } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { DocumentPicker } from '#pages/search-rules/document-picker.tsx';
import { DocumentTitle } from '#pages/search-rules/document-title.tsx';
import { ScopeField } from '#pages/synonyms/scope-field.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { SelectField, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { RichText } from '#ui/rich-text.tsx';

const MATCHES = [
  { value: 'exact', label: t('searchRules.matches.exact') },
  { value: 'contains', label: t('searchRules.matches.contains') },
];
const MAX_POSITION = 100;

type Pins = SearchRule['pins'];

const nextPosition = (pins: Pins): number =>
  Math.min(MAX_POSITION, pins.reduce((last, { position }) => Math.max(last, position), 0) + 1);

/** Creates or edits a rule. */
export function RuleForm({
  rule,
  query: firstQuery,
  onDone,
}: {
  readonly rule?: SearchRule;
  /** The words of a new rule. */
  readonly query?: string | undefined;
  readonly onDone: () => void;
}) {
  const [query, setQuery] = useState(rule?.query ?? firstQuery ?? '');
  const [match, setMatch] = useState<string>(rule?.match ?? 'exact');
  const [pins, setPins] = useState<Pins>(rule?.pins ?? []);
  const [hides, setHides] = useState<readonly string[]>(rule?.hides ?? []);
  const [collection, setCollection] = useState(rule?.collection ?? null);
  const save = useChange(
    () => {
      const kind = match === 'contains' ? ('contains' as const) : ('exact' as const);
      const body = { query, match: kind, pins, hides: [...hides], collection };
      const { searchRules } = lectern();
      return rule === undefined ? searchRules.create(body) : searchRules.update(rule.id, body);
    },
    ['search-rules'],
    onDone,
  );
  const move = (id: string, position: number) =>
    setPins(pins.map((pin) => (pin.documentId === id ? { ...pin, position } : pin)));
  return (
    <Form
      mutation={save}
      label={t(rule === undefined ? 'searchRules.add' : 'searchRules.save')}
      isIncomplete={
        query.trim() === '' || pins.length + hides.length === 0 || pins.some(({ position }) => Number.isNaN(position))
      }
    >
      <TextField
        label={t('searchRules.query')}
        value={query}
        onChange={setQuery}
        maxLength={200}
        required
        hint={t('searchRules.queryHint')}
        error={issueOf(save.error, 'query')}
      />
      <SelectField label={t('searchRules.match')} value={match} options={MATCHES} onChange={setMatch} />
      {pins.length + hides.length === 0 ? null : (
        <ul className="sources" aria-label={t('searchRules.documents')}>
          {pins.map(({ documentId, position }, index) => (
            <li key={documentId} className="row row-apart">
              <span className="grow">
                <DocumentTitle id={documentId} />
              </span>
              <TextField
                label={t('searchRules.position')}
                type="number"
                min={1}
                max={MAX_POSITION}
                value={Number.isNaN(position) ? '' : String(position)}
                onChange={(text) => move(documentId, Number.parseInt(text, 10))}
                error={
                  issueOf(save.error, `pins[${index}].position`) ?? issueOf(save.error, `pins[${index}].documentId`)
                }
              />
              <Button type="button" onClick={() => setPins(pins.filter((pin) => pin.documentId !== documentId))}>
                {t('searchRules.unpin')}
              </Button>
            </li>
          ))}
          {hides.map((id, index) => (
            <li key={id} className="row row-apart">
              <span className="grow">
                <RichText name="searchRules.hidden" elements={{ document: <DocumentTitle id={id} /> }} />
              </span>
              {issueOf(save.error, `hides[${index}]`) ? (
                <span className="field-error">{issueOf(save.error, `hides[${index}]`)}</span>
              ) : null}
              <Button type="button" onClick={() => setHides(hides.filter((hidden) => hidden !== id))}>
                {t('searchRules.showAgain')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <DocumentPicker
        named={[...pins.map(({ documentId }) => documentId), ...hides]}
        onPin={(documentId) => setPins([...pins, { documentId, position: nextPosition(pins) }])}
        onHide={(id) => setHides([...hides, id])}
      />
      <ScopeField value={collection} onChange={setCollection} />
    </Form>
  );
}
