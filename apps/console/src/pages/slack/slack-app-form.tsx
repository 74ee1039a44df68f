import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { SlackApp, SlackTransport } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { t } from '#texts/texts.ts';
import { SelectField, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { linesOf } from '#ui/lines-of.ts';

const TRANSPORTS = [
  { value: 'http', label: t('slack.transports.http') },
  { value: 'socket', label: t('slack.transports.socket') },
] as const;

const MAX_AGENTS = 100;

/** Adds a Slack app, or edits one. */
export function SlackAppForm({
  app,
  onDone,
  manifest,
}: {
  readonly app?: SlackApp;
  readonly onDone: (saved: SlackApp) => void;
  /** The steps in Slack. */
  readonly manifest?: (transport: SlackTransport) => ReactNode;
}) {
  const [name, setName] = useState(app?.name ?? t('slack.title'));
  const [transport, setTransport] = useState<SlackTransport>(app?.transport ?? 'http');
  const [botToken, setBotToken] = useState('');
  const [signingSecret, setSigningSecret] = useState('');
  const [appToken, setAppToken] = useState('');
  const [channels, setChannels] = useState((app?.channels ?? []).join('\n'));
  const [collections, setCollections] = useState<readonly string[]>(app?.collections ?? []);
  const [agentId, setAgentId] = useState(app?.agentId ?? '');
  const agents = useQuery({
    queryKey: ['agents', 'choice'],
    queryFn: async ({ signal }) => await lectern().agents.list({ limit: MAX_AGENTS }, { signal }),
  });
  const save = useChange(
    async () => {
      const settings = {
        ...{ name, transport, collections: [...collections], channels: linesOf(channels) },
        agentId: agentId === '' ? null : agentId,
        ...(signingSecret === '' ? {} : { signingSecret }),
        ...(appToken === '' ? {} : { appToken }),
      };
      const { client } = lectern();
      if (app === undefined) return client.call('createSlackApp', { body: { ...settings, botToken } });
      const body = { ...settings, ...(botToken === '' ? {} : { botToken }) };
      return client.call('updateSlackApp', { path: { id: app.id }, body });
    },
    ['slack-apps'],
    onDone,
  );
  const isNew = app === undefined;
  const secret = { type: 'password', autoComplete: 'off', spellCheck: false } as const;
  const kept = t(isNew ? 'slack.secretHint' : 'slack.keptHint');
  const needed = transport === 'http' ? signingSecret : appToken;
  const isIncomplete = name.trim() === '' || (isNew && (botToken === '' || needed === ''));
  return (
    <Form
      mutation={save}
      done={t(isNew ? 'slack.added' : 'slack.saved')}
      label={t(isNew ? 'slack.add' : 'slack.save')}
      isIncomplete={isIncomplete}
    >
      <SelectField
        label={t('slack.transport')}
        value={transport}
        options={TRANSPORTS}
        onChange={(chosen) => setTransport(chosen === 'socket' ? 'socket' : 'http')}
        hint={t('slack.transportHint')}
      />
      {manifest?.(transport)}
      <TextField label={t('ui.name')} value={name} onChange={setName} error={issueOf(save.error, 'name')} required />
      <TextField
        label={t('slack.botToken')}
        {...secret}
        value={botToken}
        onChange={setBotToken}
        placeholder="xoxb-…"
        hint={kept}
        error={issueOf(save.error, 'botToken')}
        required={isNew}
      />
      {transport === 'http' ? (
        <TextField
          label={t('slack.signingSecret')}
          {...secret}
          value={signingSecret}
          onChange={setSigningSecret}
          hint={kept}
          error={issueOf(save.error, 'signingSecret')}
          required={isNew}
        />
      ) : (
        <TextField
          label={t('slack.appToken')}
          {...secret}
          value={appToken}
          onChange={setAppToken}
          placeholder="xapp-…"
          hint={kept}
          error={issueOf(save.error, 'appToken')}
          required={isNew}
        />
      )}
      <TextArea
        label={t('slack.channels')}
        value={channels}
        onChange={setChannels}
        rows={3}
        placeholder="C0123456789"
        hint={t('slack.channelsHint')}
        error={issueOf(save.error, 'channels')}
      />
      <SelectField
        label={t('slack.agent')}
        value={agentId}
        options={[
          { value: '', label: t('slack.noAgent') },
          ...(agents.data?.items ?? []).map(({ id, name: label }) => ({ value: id, label })),
        ]}
        onChange={setAgentId}
      />
      <CollectionChoice label={t('slack.collections')} chosen={collections} onChange={setCollections} />
    </Form>
  );
}
