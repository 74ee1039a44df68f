import { Archive, Cloud, Code, Globe, Hash, Layers, type LucideIcon, Mail, Upload } from 'lucide-react';
import {
  type SimpleIcon,
  siConfluence,
  siGithub,
  siGitlab,
  siGmail,
  siGoogledrive,
  siJira,
  siNotion,
  siPostgresql,
} from 'simple-icons';
import type { ConnectorTypeName } from '#api/types.ts';

const LOGOS: Partial<Record<ConnectorTypeName, SimpleIcon>> = {
  confluence: siConfluence,
  github: siGithub,
  gitlab: siGitlab,
  gmail: siGmail,
  google_drive: siGoogledrive,
  jira: siJira,
  notion: siNotion,
  postgresql: siPostgresql,
};

/** For sources without a logo, and for those whose owners do not permit its use. */
const ICONS: Partial<Record<ConnectorTypeName, LucideIcon>> = {
  custom: Code,
  imap: Mail,
  microsoft_365: Layers,
  s3: Archive,
  salesforce: Cloud,
  slack: Hash,
  upload: Upload,
  web: Globe,
};

/** The decorative logo of a source, in the color of the text. */
export function SourceLogo({ type, size = 22 }: { readonly type: ConnectorTypeName; readonly size?: number }) {
  const logo = LOGOS[type];
  if (logo === undefined) {
    const Drawing = ICONS[type] ?? Layers;
    return <Drawing className="icon" size={size} aria-hidden="true" />;
  }
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} fill="currentColor" aria-hidden="true">
      <path d={logo.path} />
    </svg>
  );
}
