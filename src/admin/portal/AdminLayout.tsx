import { ApolloProvider } from '@apollo/client/react'
import { Outlet } from '@tanstack/react-router'
import { apollo } from '../../ui/graphql/client.ts'
import { SimulationNotice } from './SimulationNotice.tsx'

/** Shared by all staff pages: the GraphQL client, and a notice about simulated parts. */
export const AdminLayout = () => (
  <ApolloProvider client={apollo}>
    <SimulationNotice />
    <Outlet />
  </ApolloProvider>
)
