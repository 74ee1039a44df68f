import { useCollections } from '#pages/collections/use-collections.ts';
import { t } from '#texts/texts.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Checkbox } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';

/** Checkboxes for collections. */
export function CollectionChoice({
  label,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const collections = useCollections();
  return (
    <fieldset>
      <legend>{label}</legend>
      {collections.error ? <ErrorNotice error={collections.error} /> : null}
      {collections.isPending ? <Loading what={t('collections.what.collections')} /> : null}
      {collections.data?.length === 0 ? <p className="muted">{t('collections.noneToChoose')}</p> : null}
      {collections.data?.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          isChecked={chosen.includes(id)}
          onChange={(isChecked) => onChange(isChecked ? [...chosen, id] : chosen.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  );
}
