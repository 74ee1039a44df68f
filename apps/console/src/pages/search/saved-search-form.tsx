import { useState } from 'react';
import { cleanName, isSameName, MAX_NAME, type SavedSearch } from '#pages/search/saved-searches.ts';
import { useSavedChange } from '#pages/search/use-saved-searches.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { showToast } from '#ui/toasts.tsx';

/** Names a search, and renames or deletes a saved one. */
export function SavedSearchForm({
  edited,
  suggestedName,
  params,
  saved,
  change,
  onDone,
}: {
  /** Undefined for a new one. */
  readonly edited: SavedSearch | undefined;
  readonly suggestedName: string;
  readonly params: string;
  readonly saved: readonly SavedSearch[];
  readonly change: (name: string | undefined, next: SavedSearch | undefined) => void;
  readonly onDone: () => void;
}) {
  const [name, setName] = useState(edited?.name ?? cleanName(suggestedName));
  const isTaken = saved.some((other) => other.name !== edited?.name && isSameName(other.name, name));
  const save = useSavedChange(
    () => change(edited?.name, { name: cleanName(name), params: edited?.params ?? params }),
    onDone,
  );
  const remove = useSavedChange(
    () => change(edited?.name, undefined),
    () => {
      showToast(t('search.saved.deleted', { name: edited?.name ?? '' }));
      onDone();
    },
  );
  return (
    <Form
      mutation={save}
      label={t('search.saved.submit')}
      isIncomplete={cleanName(name) === '' || isTaken}
      actions={
        edited === undefined ? null : (
          <Button isDanger isBusy={remove.isPending} onClick={() => remove.mutate()}>
            {t('search.saved.delete')}
          </Button>
        )
      }
    >
      <TextField
        label={t('search.saved.name')}
        value={name}
        onChange={setName}
        maxLength={MAX_NAME}
        required
        error={isTaken ? t('search.saved.taken') : undefined}
      />
      {remove.error ? <ErrorNotice error={remove.error} /> : null}
    </Form>
  );
}
