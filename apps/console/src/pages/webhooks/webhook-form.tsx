import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Webhook, WebhookWithSecret } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { EventChoice, type WebhookEventType } from '#pages/webhooks/webhook-events.tsx';
import { t } from '#texts/texts.ts';
import { Checkbox, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const USUAL: readonly WebhookEventType[] = ['document.indexed', 'document.deleted'];

/** Creates or edits a webhook. Calls `onDone` with the secret of a new one. */
export function WebhookForm({
  webhook,
  onDone,
}: {
  readonly webhook?: Webhook;
  readonly onDone: (created: WebhookWithSecret | undefined) => void;
}) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState<readonly WebhookEventType[]>(webhook?.events ?? USUAL);
  const [isAll, setIsAll] = useState((webhook?.collections.length ?? 0) === 0);
  const [collections, setCollections] = useState<readonly string[]>(webhook?.collections ?? []);
  const save = useChange<WebhookWithSecret | undefined>(
    async () => {
      const body = {
        url: url.trim(),
        description,
        events: [...events],
        collections: isAll ? [] : [...collections],
      };
      if (webhook === undefined) return lectern().webhooks.create(body);
      await lectern().webhooks.update(webhook.id, body);
      return undefined;
    },
    ['webhooks'],
    onDone,
  );
  return (
    <Form
      mutation={save}
      label={t(webhook === undefined ? 'webhooks.create' : 'webhooks.save')}
      isIncomplete={url.trim() === '' || (!isAll && collections.length === 0)}
    >
      <TextField
        label={t('webhooks.address')}
        type="url"
        value={url}
        onChange={setUrl}
        placeholder="https://example.com/lectern"
        error={issueOf(save.error, 'url')}
      />
      <TextField
        label={t('webhooks.description')}
        value={description}
        onChange={setDescription}
        hint={t('webhooks.descriptionHint')}
        error={issueOf(save.error, 'description')}
      />
      <EventChoice chosen={events} onChange={setEvents} />
      <Checkbox label={t('webhooks.ofAllCollections')} isChecked={isAll} onChange={setIsAll} />
      {isAll ? null : (
        <>
          <CollectionChoice label={t('webhooks.onlyCollections')} chosen={collections} onChange={setCollections} />
          <p className="hint">{t('webhooks.feedbackHint')}</p>
        </>
      )}
    </Form>
  );
}
