import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { savePrivate } from '../disk/private'
import type { DayCounts } from '../services/quota'

const countsSchema = z.record(
  z.string(),
  z.record(z.string(), z.object({ day: z.string(), calls: z.number().int().nonnegative() })),
)

const placeOf = (folder: string): string => join(folder, 'day-counts.json')

/** Today's calls by account, for services with a daily quota. Lost counts restart at zero. */
export async function readDayCounts(folder: string): Promise<Record<string, DayCounts>> {
  try {
    return countsSchema.parse(JSON.parse(await readFile(placeOf(folder), 'utf8'))) as Record<string, DayCounts>
  } catch {
    return {}
  }
}

/** @throws FaultError `storage` */
export async function writeDayCounts(folder: string, counts: Record<string, DayCounts>): Promise<void> {
  await savePrivate(placeOf(folder), [JSON.stringify(counts)])
}
