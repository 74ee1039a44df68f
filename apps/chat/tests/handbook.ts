/** A small handbook, written for these tests. */
export const HANDBOOK = {
  'Parental leave': `# Parental leave

Every new parent gets sixteen weeks of paid parental leave. The leave has to be taken within the first year after the birth or the placement of the child.

## How to request it

To request parental leave, write to the people team at least eight weeks before it begins. They will answer within five working days.`,
  Devices: `# Devices

Every laptop must have its disk encrypted before it leaves the office. Use the password manager for all accounts.

## Lost devices

When a laptop is lost, call the security desk at once and change your passwords. The security desk wipes the device remotely.`,
  Travel: `# Travel

Flights shorter than six hours are booked in economy class. Hotels may cost up to 180 euros a night.

Expenses are paid back within ten days after you hand in the receipts.`,
} as const;
