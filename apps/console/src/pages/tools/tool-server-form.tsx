import type { Body } from '@lectern/sdk';
import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { ToolServer } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { SelectField, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { NameField } from '#ui/name-field.tsx';

type Auth = NonNullable<Body<'createToolServer'>['auth']>;
type AuthType = Auth['type'];

const KINDS = [
  { value: 'mcp', label: t('tools.kinds.mcp') },
  { value: 'openapi', label: t('tools.kinds.openapi') },
] as const;

const AUTH = [
  { value: 'none', label: t('tools.authTypes.none') },
  { value: 'bearer', label: t('tools.authTypes.bearer') },
  { value: 'header', label: t('tools.authTypes.header') },
  { value: 'query', label: t('tools.authTypes.query') },
  { value: 'basic', label: t('tools.authTypes.basic') },
  { value: 'oauth', label: t('tools.authTypes.oauth') },
] as const satisfies readonly { readonly value: AuthType; readonly label: string }[];

const SECRETS: Readonly<Record<Exclude<AuthType, 'none'>, string>> = {
  bearer: t('tools.secrets.bearer'),
  header: t('tools.secrets.header'),
  query: t('tools.secrets.query'),
  basic: t('tools.secrets.basic'),
  oauth: t('tools.secrets.oauth'),
};

interface AuthFields {
  readonly type: AuthType;
  readonly name: string;
  readonly tokenUrl: string;
  readonly scopes: string;
}

function toAuth({ type, name, tokenUrl, scopes }: AuthFields): Auth {
  if (type === 'header' || type === 'query') return { type, name };
  if (type === 'basic') return { type, username: name };
  if (type === 'oauth') return { type, tokenUrl, clientId: name, scopes: scopes.split(/\s+/).filter(Boolean) };
  return { type };
}

const NAMES: Partial<Readonly<Record<AuthType, string>>> = {
  header: t('tools.authNames.header'),
  query: t('tools.authNames.query'),
  basic: t('tools.authNames.basic'),
  oauth: t('tools.authNames.oauth'),
};

/** Adds or edits a tool server, and then lists its tools. */
export function ToolServerForm({ server, onDone }: { readonly server?: ToolServer; readonly onDone: () => void }) {
  const [name, setName] = useState(server?.name ?? '');
  const [slug, setSlug] = useState(server?.slug ?? '');
  const [kind, setKind] = useState<ToolServer['kind']>(server?.kind ?? 'mcp');
  const [url, setUrl] = useState(server?.url ?? '');
  const [documentUrl, setDocumentUrl] = useState(server?.documentUrl ?? '');
  const [document, setDocument] = useState('');
  const [secret, setSecret] = useState('');
  const [auth, setAuth] = useState<AuthFields>({
    type: server?.auth.type ?? 'none',
    name: server?.auth.name ?? server?.auth.username ?? server?.auth.clientId ?? '',
    tokenUrl: server?.auth.tokenUrl ?? '',
    scopes: server?.auth.scopes?.join(' ') ?? '',
  });
  const description =
    kind === 'mcp' ? {} : document.trim() === '' ? (documentUrl === '' ? {} : { documentUrl }) : { document };
  const save = useChange<ToolServer>(
    async () => {
      const fields = { name, url, ...description, auth: toAuth(auth), ...(secret === '' ? {} : { secret }) };
      if (server !== undefined) return lectern().toolServers.update(server.id, fields);
      return lectern().toolServers.create({ ...fields, slug, kind });
    },
    ['tool-servers'],
    onDone,
  );
  const nameLabel = NAMES[auth.type];
  return (
    <Form
      mutation={save}
      label={t(server === undefined ? 'tools.add' : 'tools.save')}
      isIncomplete={name.trim() === '' || slug === '' || url === ''}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      {server === undefined ? (
        <>
          <TextField
            label={t('tools.slug')}
            value={slug}
            onChange={setSlug}
            required
            maxLength={20}
            hint={t('tools.slugHint')}
            error={issueOf(save.error, 'slug')}
          />
          <SelectField
            label={t('tools.kind')}
            value={kind}
            options={KINDS}
            onChange={(value) => setKind(value === 'openapi' ? 'openapi' : 'mcp')}
          />
        </>
      ) : null}
      <TextField
        label={t(kind === 'mcp' ? 'tools.mcpUrl' : 'tools.apiUrl')}
        type="url"
        value={url}
        onChange={setUrl}
        required
        placeholder="https://"
        error={issueOf(save.error, 'url')}
      />
      {kind === 'mcp' ? null : (
        <>
          <TextField
            label={t('tools.documentUrl')}
            type="url"
            value={documentUrl}
            onChange={setDocumentUrl}
            placeholder="https://"
            error={issueOf(save.error, 'documentUrl')}
          />
          <TextArea
            label={t('tools.document')}
            value={document}
            onChange={setDocument}
            rows={4}
            hint={server?.documentBytes ? t('tools.documentHint') : undefined}
            error={issueOf(save.error, 'document')}
          />
        </>
      )}
      <SelectField
        label={t('tools.auth')}
        value={auth.type}
        options={AUTH}
        onChange={(value) => setAuth({ ...auth, type: AUTH.find((one) => one.value === value)?.value ?? 'none' })}
      />
      {nameLabel === undefined ? null : (
        <TextField
          label={nameLabel}
          value={auth.name}
          onChange={(value) => setAuth({ ...auth, name: value })}
          required
          autoComplete="off"
        />
      )}
      {auth.type === 'oauth' ? (
        <>
          <TextField
            label={t('tools.tokenUrl')}
            type="url"
            value={auth.tokenUrl}
            onChange={(value) => setAuth({ ...auth, tokenUrl: value })}
            required
            error={issueOf(save.error, 'auth.tokenUrl')}
          />
          <TextField
            label={t('tools.scopes')}
            value={auth.scopes}
            onChange={(value) => setAuth({ ...auth, scopes: value })}
            hint={t('tools.scopesHint')}
          />
        </>
      ) : null}
      {auth.type === 'none' ? null : (
        <TextField
          label={SECRETS[auth.type]}
          type="password"
          value={secret}
          onChange={setSecret}
          required={server === undefined}
          autoComplete="off"
          hint={t(server === undefined ? 'tools.secretHint' : 'tools.keptHint')}
          error={issueOf(save.error, 'secret')}
        />
      )}
    </Form>
  );
}
