import { useState } from 'react';
import { CONNECTOR_TYPES, type TypeSpec } from '#pages/connectors/connector-fields.ts';
import { ConnectorForm } from '#pages/connectors/connector-form.tsx';
import { SET_UP_GUIDES } from '#pages/connectors/set-up-guides.ts';
import { SetUpSteps } from '#pages/connectors/set-up-steps.tsx';
import { Button } from '#ui/button.tsx';
import { PageHead } from '#ui/page-head.tsx';

const CONNECTORS = { to: '/connectors', label: 'Connectors' };

/** Creates a connector: shows the types, then a form for the settings of the selected one. */
export default function NewConnectorPage() {
  const [spec, setSpec] = useState<TypeSpec>();
  if (spec !== undefined) {
    const guide = SET_UP_GUIDES[spec.type];
    return (
      <>
        <PageHead title={`Connect ${spec.label}`} parent={CONNECTORS} intro={spec.about}>
          <Button onClick={() => setSpec(undefined)}>Change type</Button>
        </PageHead>
        {guide === undefined ? null : <SetUpSteps guide={guide} label={spec.label} />}
        <ConnectorForm spec={spec} />
      </>
    );
  }
  return (
    <>
      <PageHead title="New connector" parent={CONNECTORS} intro="Choose a source." />
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
