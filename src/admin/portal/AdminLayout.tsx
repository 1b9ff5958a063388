import { ApolloProvider } from '@apollo/client/react'
import { Outlet } from '@tanstack/react-router'
import { apollo } from '../../ui/graphql/client.ts'
import { SimulationNotice } from './SimulationNotice.tsx'

/** What all screens of staff share: the GraphQL client, and a word about what here is not real. */
export const AdminLayout = () => (
  <ApolloProvider client={apollo}>
    <SimulationNotice />
    <Outlet />
  </ApolloProvider>
)
