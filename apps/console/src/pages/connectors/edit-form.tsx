import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Connector } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { configFields, typeSpec } from '#pages/connectors/connector-fields.ts';
import { toChange, toSettings, toValues, type Values } from '#pages/connectors/form-values.ts';
import { CredentialFields, SettingsFields } from '#pages/connectors/settings-fields.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

/** Changes a connector's name, settings and, where new ones are given, credentials. */
export function EditForm({ connector }: { readonly connector: Connector }) {
  const spec = typeSpec(connector.type);
  const fields = configFields(spec);
  const [name, setName] = useState(connector.name);
  const [config, setConfig] = useState<Values>(() => toValues(fields, connector.config));
  const [credentials, setCredentials] = useState<Values>({});
  const save = useChange(
    () => {
      const given = toSettings(spec?.credentials ?? [], credentials);
      return lectern().connectors.update(connector.id, {
        name,
        config: toChange(fields, config),
        ...(Object.keys(given).length === 0 ? {} : { credentials: given }),
      });
    },
    ['connectors'],
    () => setCredentials({}),
  );
  return (
    <Form work={save} label="Save" saysSaved isCard>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        required
        maxLength={200}
        error={issueOf(save.error, 'name')}
      />
      <SettingsFields fields={fields} root="config" values={config} error={save.error} onChange={setConfig} />
      <CredentialFields
        spec={spec}
        label="New credentials"
        hint="Empty: the ones it has stay."
        values={credentials}
        error={save.error}
        onChange={setCredentials}
      />
    </Form>
  );
}
