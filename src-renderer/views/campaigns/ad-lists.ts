/** Lists of an ad whose records it joins: each with the field that names them, and their collection. */
export const adLists = {
  placement: { list: 'placementAssignments', field: 'placementId', collection: 'placements' },
  creative: { list: 'creativeRotation.creativeAssignments', field: 'creativeId', collection: 'creatives' },
} as const
export type Side = keyof typeof adLists
