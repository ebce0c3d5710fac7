/** ID of the search agency of a trafficking account in sample data: seventeen digits. */
export const sampleAgencyId = (accountId: string): string => `20700${accountId.padStart(12, '0')}`
