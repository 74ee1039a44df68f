import { useState } from 'react';
import { CONNECTOR_TYPES, type TypeSpec } from '#pages/connectors/connector-fields.ts';
import { ConnectorForm } from '#pages/connectors/connector-form.tsx';
import { Button } from '#ui/button.tsx';
import { PageHead } from '#ui/page-head.tsx';

/** Creates a connector: shows the types, then a form for the settings of the selected one. */
export default function NewConnectorPage() {
  const [spec, setSpec] = useState<TypeSpec>();
  if (spec !== undefined) {
    return (
      <>
        <PageHead title={`Connect ${spec.label}`} intro={spec.about}>
          <Button onClick={() => setSpec(undefined)}>Change type</Button>
        </PageHead>
        <ConnectorForm spec={spec} />
      </>
    );
  }
  return (
    <>
      <PageHead title="New connector" intro="Choose a source." />
      <ul className="cards">
        {CONNECTOR_TYPES.map((candidate) => (
          <li key={candidate.type}>
            <button type="button" className="card choice" onClick={() => setSpec(candidate)}>
              <strong>{candidate.label}</strong>
              <span className="muted">{candidate.about}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
