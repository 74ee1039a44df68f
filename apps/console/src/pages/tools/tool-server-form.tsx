import type { Body } from '@lectern/sdk';
import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { ToolServer } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { SelectField, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { NameField } from '#ui/name-field.tsx';

type Auth = NonNullable<Body<'createToolServer'>['auth']>;
type AuthType = Auth['type'];

const KINDS = [
  { value: 'mcp', label: 'MCP server' },
  { value: 'openapi', label: 'HTTP API with an OpenAPI document' },
] as const;

const AUTH = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'URL parameter' },
  { value: 'basic', label: 'User name and password' },
  { value: 'oauth', label: 'OAuth client credentials' },
] as const satisfies readonly { readonly value: AuthType; readonly label: string }[];

const SECRETS: Readonly<Record<Exclude<AuthType, 'none'>, string>> = {
  bearer: 'Token',
  header: 'Value',
  query: 'Value',
  basic: 'Password',
  oauth: 'Client secret',
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
  header: 'Name of the header',
  query: 'Name of the parameter',
  basic: 'User name',
  oauth: 'Client id',
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
      label={server === undefined ? 'Add' : 'Save'}
      isIncomplete={name.trim() === '' || slug === '' || url === ''}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      {server === undefined ? (
        <>
          <TextField
            label="Short name"
            value={slug}
            onChange={setSlug}
            required
            maxLength={20}
            hint="Begins the names of its tools, for example crm in crm__find_customer. It cannot be changed."
            error={issueOf(save.error, 'slug')}
          />
          <SelectField
            label="Kind"
            value={kind}
            options={KINDS}
            onChange={(value) => setKind(value === 'openapi' ? 'openapi' : 'mcp')}
          />
        </>
      ) : null}
      <TextField
        label={kind === 'mcp' ? 'Address of the MCP endpoint' : 'Base address of the API'}
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
            label="Address of the OpenAPI document"
            type="url"
            value={documentUrl}
            onChange={setDocumentUrl}
            placeholder="https://"
            error={issueOf(save.error, 'documentUrl')}
          />
          <TextArea
            label="Or the document itself (JSON or YAML)"
            value={document}
            onChange={setDocument}
            rows={4}
            hint={server?.documentBytes ? 'A document is stored. Enter one to replace it.' : undefined}
            error={issueOf(save.error, 'document')}
          />
        </>
      )}
      <SelectField
        label="Authentication"
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
            label="Token URL"
            type="url"
            value={auth.tokenUrl}
            onChange={(value) => setAuth({ ...auth, tokenUrl: value })}
            required
            error={issueOf(save.error, 'auth.tokenUrl')}
          />
          <TextField
            label="Scopes"
            value={auth.scopes}
            onChange={(value) => setAuth({ ...auth, scopes: value })}
            hint="Separated by spaces"
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
          hint={
            server === undefined
              ? 'Stored encrypted and never shown again.'
              : 'Leave it empty to keep the stored one. A new address needs it again.'
          }
          error={issueOf(save.error, 'secret')}
        />
      )}
    </Form>
  );
}
